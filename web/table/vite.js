// How the page of a game becomes one file, `page.js`, with all that it needs in it: its styles, its pictures and Svelte.
import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte'

/** @type {typeof import('./vite.d.ts').pageConfig} */
export function pageConfig({ entry = 'page.ts', out = 'page' } = {}) {
  return {
    plugins: [
      svelte({
        configFile: false,
        preprocess: vitePreprocess(),
        // By what the styles are, not by where they are from: they share a document with those of others.
        compilerOptions: { cssHash: ({ hash, css }) => `page-${hash(css)}` },
      }),
      stylesInside,
    ],
    publicDir: false,
    build: {
      target: 'es2022',
      outDir: out,
      emptyOutDir: true,
      assetsInlineLimit: () => true,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'page.js', codeSplitting: false },
      },
    },
  }
}

/** The server lets no style be written into the document; a sheet that a script makes is the script's own affair. */
const stylesInside = {
  name: 'croupier:styles-inside',
  enforce: 'post',
  generateBundle(_, bundle) {
    const sheets = Object.values(bundle).filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
    if (!sheets.length) return
    const css = JSON.stringify(sheets.map((sheet) => sheet.source.toString()).join('\n'))
    for (const sheet of sheets) delete bundle[sheet.fileName]
    const page = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
    page.code += `{const s=new CSSStyleSheet();s.replaceSync(${css});document.adoptedStyleSheets.push(s)}\n`
  },
}
