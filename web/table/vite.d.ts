import type { UserConfig } from 'vite'

/** The configuration of Vite that makes `page.js` of a game's page: `export default pageConfig({ out: '../hearts/page' })`. */
export function pageConfig(options?: {
  /** The module whose default export is the page: `definePage(…)`. */
  entry?: string
  /** The folder that `page.js` is put into, which has nothing else in it. */
  out?: string
}): UserConfig
