import { createStore, useStore } from '../../shell/store.ts'

/** What was removed here and can still be brought back: it is not visible, and the service has it for some seconds. By `kind:id`. */
const hidden = createStore<ReadonlySet<string>>(new Set())

export const usePendingDeletions = () => useStore(hidden)

export const markPending = (name: string) => hidden.set(new Set([...hidden.get(), name]))

export function clearPending(name: string) {
  const left = new Set(hidden.get())
  left.delete(name)
  hidden.set(left)
}
