import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'

// While developing, the page changes too often to be kept. Where browsers don't allow it (without https), it is not.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined))
}

export default mount(App, { target: document.getElementById('app')! })
