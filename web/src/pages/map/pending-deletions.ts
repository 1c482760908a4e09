import { createStore, useStore } from '../../shell/store.ts'

/** Keys (`kind:id`) of deleted items that can still be restored. They are hidden until the deletion is sent. */
const hidden = createStore<ReadonlySet<string>>(new Set())

export const usePendingDeletions = () => useStore(hidden)

export const markPending = (...names: string[]) => hidden.set(new Set([...hidden.get(), ...names]))

export function clearPending(...names: string[]) {
  const left = new Set(hidden.get())
  for (const name of names) left.delete(name)
  hidden.set(left)
}
