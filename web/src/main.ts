import { language } from '@croupier/table'
import { mount } from 'svelte'
import App from './App.svelte'
import { route } from './lib/route.svelte'
import './fonts.css'
import './app.css'

document.documentElement.lang = language

// While developing, the page changes too often to be kept. Where browsers don't allow it (without https), it is not.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  // Not before the page has loaded; which may have been while it waited for its words.
  if (document.readyState === 'complete') register()
  else addEventListener('load', register)
}

/** Of a table's page nothing may be missing either: then all of it is loaded anew, as start.js has it. */
async function begin(): Promise<void> {
  if (route.table) await import('./TablePage.svelte')
  mount(App, { target: document.getElementById('app')! })
  sessionStorage.removeItem('croupier.tries') // which start.js counts
}

void begin()
