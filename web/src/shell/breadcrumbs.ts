import { createStore, useStore } from './store.ts'

export type Breadcrumb = { name: string; to?: string }

const breadcrumbs = createStore<Breadcrumb[]>([])

/** Where one is: the page says it (PageHeader does). */
export const useBreadcrumbs = () => useStore(breadcrumbs)
export const setBreadcrumbs = breadcrumbs.set
