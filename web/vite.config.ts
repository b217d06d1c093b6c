import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// While developing, Vite serves the page and a `croupier serve` on its usual port serves the rest.
const server = process.env.CROUPIER_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', modulePreload: { polyfill: false } },
  // The cards of a game are read from the server's own files.
  server: { fs: { allow: ['..'] }, proxy: { '/ws': { target: server, ws: true }, '/api': server } },
})
