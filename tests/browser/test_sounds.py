"""What can be heard is as loud as the rest, begins and ends without a click, and is told apart.

Rendered offline by Chromium, and looked at in figures: nobody has to listen, and no clock runs.
"""

from __future__ import annotations

import re
import subprocess
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from playwright.async_api import Browser

from tests.browser.person import WEB

RATE = 48_000
SECONDS = 3
SHORT = RATE // 20
"""So many samples are heard as one: 50 ms."""

RENDER = """async ([source, name, rate, seconds]) => {
  let seed = 1
  Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
  let audio
  window.AudioContext = function () {
    return (audio = new OfflineAudioContext(1, rate * seconds, rate))
  }
  const { play } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
  play(name)
  return [...(await audio.startRendering()).getChannelData(0)]
}"""

Samples = np.ndarray[Any, np.dtype[np.float64]]


class Heard(NamedTuple):
    samples: Samples

    @property
    def peak(self) -> float:
        return float(np.abs(self.samples).max())

    @property
    def loudness(self) -> float:
        """Of its loudest moment, in dB below full scale, weighted as ears do at low levels (A)."""
        spectrum, f = np.fft.rfft(self.samples), np.fft.rfftfreq(len(self.samples), 1 / RATE) ** 2
        ear = 1.2589 * 12194**2 * f**2 / ((f + 20.6**2) * np.sqrt((f + 107.7**2) * (f + 737.9**2)) * (f + 12194**2))
        power = np.convolve(np.fft.irfft(spectrum * ear, len(self.samples)) ** 2, np.ones(SHORT) / SHORT, "valid")
        return float(10 * np.log10(power.max()))

    @property
    def seconds(self) -> float:
        audible = np.nonzero(np.abs(self.samples) > 0.001)[0]
        return float(audible[-1] - audible[0]) / RATE

    @property
    def edges(self) -> tuple[float, float]:
        """How far it is from silence in its first and its last fifth of a millisecond."""
        heard = np.nonzero(np.abs(self.samples) > 1e-6)[0]
        step = RATE // 5000
        beginning, end = self.samples[heard[0] : heard[0] + step], self.samples[heard[-1] - step + 1 : heard[-1] + 1]
        return float(np.abs(beginning).max()), float(np.abs(end).max())

    @property
    def shape(self) -> Samples:
        """Which pitches it has when, as ears tell sounds apart: in steps of 25 ms and a third of an octave."""
        step = RATE // 40
        frames = self.samples[: len(self.samples) // step * step].reshape(-1, step)
        power = np.abs(np.fft.rfft(frames * np.hanning(step))) ** 2
        f = np.fft.rfftfreq(step, 1 / RATE)
        bands = [power[:, (f >= low) & (f < low * 2 ** (1 / 3))].sum(axis=1) for low in 60 * 2 ** (np.arange(25) / 3)]
        shape: Samples = np.sqrt(np.sqrt(np.array(bands))).ravel()
        return np.divide(shape, np.linalg.norm(shape))


def bundled(source: Path, to: Path) -> str:
    """A module of the page with all that it imports."""
    command = [str(WEB / "node_modules" / ".bin" / "rolldown"), str(source), "-o", str(to), "--format", "esm"]
    subprocess.run(command, cwd=WEB, check=True, capture_output=True)
    return to.read_text()


async def rendered(browser: Browser, module: str, folder: Path) -> dict[str, Heard]:
    """Every sound of a module of the page, by its name."""
    source = WEB / "src" / "lib" / f"{module}.ts"
    code = bundled(source, folder / module)
    names = re.findall(r"^  (\w+)\(audio, out, at\)", source.read_text(), re.MULTILINE)
    page = await browser.new_page()
    found = {}
    for name in names:
        samples = await page.evaluate(RENDER, [code, name, RATE, SECONDS])
        found[name] = Heard(np.array(samples))
    await page.close()
    return found


@pytest.mark.parametrize(("module", "count", "longest"), [("effects", 17, 1), ("sounds", 8, 2)])
async def test_sounds_fit_together(browser: Browser, tmp_path: Path, module: str, count: int, longest: float) -> None:
    sounds = await rendered(browser, module, tmp_path)
    assert len(sounds) == count
    for name, heard in sounds.items():
        assert 0.03 < heard.peak < 0.5, (name, heard.peak)  # heard, and two at once are not cut off
        assert -36 < heard.loudness < -24, (name, heard.loudness)
        assert 0.02 < heard.seconds < longest, (name, heard.seconds)
        assert max(heard.edges) < 0.01, (name, heard.edges)
    levels = [heard.loudness for heard in sounds.values()]
    assert max(levels) - min(levels) < 8, {name: heard.loudness for name, heard in sounds.items()}
    for (one, first), (other, second) in combinations(sounds.items(), 2):
        alike = float(first.shape @ second.shape)
        assert alike < 0.8, (one, other, alike)
