import { createStore, useStore } from './store.ts'

export type Crumb = { name: string; to?: string }

const crumbs = createStore<Crumb[]>([])

/** Where one is: the page says it (PageHead does). */
export const useCrumbs = () => useStore(crumbs)
export const setCrumbs = crumbs.set
