import { createStore, useStore } from './store.ts'

export type Breadcrumb = { name: string; to?: string }

const breadcrumbs = createStore<Breadcrumb[]>([])

/** The breadcrumbs of the current page, set by `PageHeader`. */
export const useBreadcrumbs = () => useStore(breadcrumbs)
export const setBreadcrumbs = breadcrumbs.set
