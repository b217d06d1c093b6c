const pages = import.meta.glob('../games/*/Page.svelte')

/** The games that have a page here: nobody has to tell us their moves in words. */
export const drawn = Object.keys(pages).map((path) => path.split('/').at(-2)!)
