/** Sounds that are made as they are played: nothing is loaded. */

export type Maker = (audio: AudioContext, out: AudioNode, at: number) => void

let audio: AudioContext | undefined
let resting: ReturnType<typeof setTimeout> | undefined
/** After so much silence, in milliseconds, sound is switched off: otherwise silence is played, which takes time too. */
const SILENCE = 3000

/** Let a sound be heard, as loud as that. Whether it can be. */
export function perform(maker: Maker, loud: number): boolean {
  try {
    audio ??= new AudioContext()
    // Browsers keep quiet until somebody has touched the page.
    if (audio.state === 'suspended') void audio.resume().catch(() => undefined)
    clearTimeout(resting)
    resting = setTimeout(() => void audio?.suspend().catch(() => undefined), SILENCE)
    const out = audio.createGain()
    out.gain.value = loud
    out.connect(audio.destination)
    maker(audio, out, audio.currentTime + 0.02)
    return true
  } catch {
    return false // A machine without sound.
  }
}

/** One note: an oscillator that swells, and fades away. */
export function note(audio: AudioContext, out: AudioNode, wave: OscillatorType, pitch: number, at: number, length: number, loud = 1): OscillatorNode {
  const voice = audio.createOscillator()
  const volume = audio.createGain()
  voice.type = wave
  voice.frequency.value = pitch
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(loud, at + Math.min(0.02, length / 4))
  volume.gain.setValueAtTime(loud, at + length * 0.7)
  volume.gain.exponentialRampToValueAtTime(0.001, at + length)
  voice.connect(volume).connect(out)
  voice.start(at)
  voice.stop(at + length)
  return voice
}

/** Noise, through a filter. */
export function hiss(audio: AudioContext, out: AudioNode, at: number, length: number, loud: number, kind: BiquadFilterType, pitch: number): BiquadFilterNode {
  const samples = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate)
  const data = samples.getChannelData(0)
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1
  const source = audio.createBufferSource()
  source.buffer = samples
  const filter = audio.createBiquadFilter()
  filter.type = kind
  filter.frequency.value = pitch
  const volume = audio.createGain()
  // It swells, too, if only for a moment: noise that is there at once begins with a click.
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(loud, at + 0.003)
  volume.gain.exponentialRampToValueAtTime(0.001, at + length)
  source.connect(filter).connect(volume).connect(out)
  source.start(at)
  return filter
}

export function softened(audio: AudioContext, out: AudioNode, pitch: number, kind: BiquadFilterType = 'lowpass'): BiquadFilterNode {
  const filter = audio.createBiquadFilter()
  filter.type = kind
  filter.frequency.value = pitch
  filter.connect(out)
  return filter
}
