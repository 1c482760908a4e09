import { createStore, useStore } from '../../shell/store.ts'

/** What was removed here and can still be brought back: it is not shown, and the service has it for some seconds. By `kind:id`. */
const hidden = createStore<ReadonlySet<string>>(new Set())

export const useHidden = () => useStore(hidden)

export const hide = (name: string) => hidden.set(new Set([...hidden.get(), name]))

export function show(name: string) {
  const left = new Set(hidden.get())
  left.delete(name)
  hidden.set(left)
}
