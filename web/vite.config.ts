import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { marked } from 'marked'
import { defineConfig, type Plugin } from 'vite'

// While developing, Vite serves the page and a `croupier serve` on its usual port serves the rest.
const server = process.env.CROUPIER_SERVER ?? 'http://127.0.0.1:8080'

/** The line of a page of the docs that leads to the same one in another language. */
const otherLanguage = /^\*\[[^\]]+\]\([^)]+\)\*\n/m
/** A link to another page of the docs. */
const docsLink = /\[([^\]]+)\]\((?!https?:)[^)]+\)/g

/** The rules of a game are written once, in docs/games; the page shows them without the part that is for programmers,
 * and without links to pages that are not here. */
const rules: Plugin = {
  name: 'rules',
  enforce: 'pre',
  transform: {
    filter: { id: /docs\/games\/[^/]+\.md$/ },
    handler(text) {
      const forPeople = text.split(/^## (?:The rules by number|Les règles par numéro)$/m)[0]!
      const alone = forPeople.replace(otherLanguage, '').replace(docsLink, '$1')
      return { code: `export default ${JSON.stringify(marked.parse(alone, { async: false }))}`, moduleType: 'js' }
    },
  },
}

/** Everything is there packed as well, so that the server need not do it for every visitor; fonts are packed as they are. */
const packed: Plugin = {
  name: 'packed',
  async writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle).filter((name) => name.startsWith('assets/') && !name.endsWith('.woff2'))) {
      const file = join(dir!, name)
      const content = await readFile(file)
      await writeFile(`${file}.br`, brotliCompressSync(content)) // as tightly as it can
      await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }))
    }
  },
}

/** The pictures of games that go with a link to a table are asked for by the names of the games. */
const previews: Plugin = {
  name: 'previews',
  async generateBundle() {
    for (const game of await readdir('src/games')) {
      const source = await readFile(`src/games/${game}/preview.jpg`).catch(() => null)
      if (source) this.emitFile({ type: 'asset', fileName: `previews/${game}.jpg`, source })
    }
  },
}

/** Where the server names the files that a visit takes besides (net/preloads.py). */
const FILES = '<!-- files -->'

/** What runs before everything else is no module, and like all files of the page it has another name when it changes. It is
 * told where the words are, and which games have a page. */
const start: Plugin = {
  name: 'start',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html, { bundle }) {
      const words: Record<string, string> = {}
      let page = ''
      for (const chunk of Object.values(bundle!)) {
        const language = 'facadeModuleId' in chunk && chunk.facadeModuleId?.match(/\/src\/words\/frame\/(\w+)\.ts$/)?.[1]
        if (language) words[language] = `/${chunk.fileName}`
        if (chunk.type === 'chunk' && chunk.name === 'page') page = `/${chunk.fileName}`
      }
      const source = (await readFile('src/start.js', 'utf8'))
        .replace('WORDS = {}', `WORDS = ${JSON.stringify(words)}`)
        .replace('DRAWN = []', `DRAWN = ${JSON.stringify((await readdir('src/games')).sort())}`)
      const fileName = `assets/start-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName, source })
      // The largest file first: it gets the connection that is open already, and others have to open theirs. Styles, which browsers
      // would put before it, have time: without the program there is nothing to show.
      const first = `<link rel="modulepreload" crossorigin href="${page}">\n    <script src="/${fileName}"></script>`
      return html.replace(FILES, `${first}\n    ${FILES}`).replace('<link rel="stylesheet"', '<link rel="stylesheet" fetchpriority="low"')
    },
  },
}

export default defineConfig({
  resolve: { tsconfigPaths: true }, // the client as it is here, and not as it was packed last
  plugins: [rules, svelte(), start, packed, previews],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    manifest: 'files.json', // of which the server makes out what a visit will ask for
    // What every visit needs comes in one piece, for on a slow line each file is another journey; in two: the page waits for
    // the words of its language, so that these can't be made of parts of the page. What only tables need is another piece.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'phrases', test: /table\/src\/words\/|src\/lib\/players/, priority: 1 },
            { name: 'page', tags: ['$initial'] },
            { name: 'table', test: /src\/TablePage/ },
          ],
        },
      },
    },
  },
  // The cards of a game are read from the server's own files.
  server: { fs: { allow: ['..'] }, proxy: { '/ws': { target: server, ws: true }, '/api': server } },
})
