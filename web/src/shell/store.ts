import { useSyncExternalStore } from 'react'

/** A value that components can subscribe to. */
export type Store<Value> = {
  get: () => Value
  set: (value: Value) => void
  watch: (listener: () => void) => () => void
}

export function createStore<Value>(value: Value): Store<Value> {
  const watchers = new Set<() => void>()
  let current = value
  return {
    get: () => current,
    set(next) {
      current = next
      for (const listener of watchers) listener()
    },
    watch(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
  }
}

export const useStore = <Value>({ watch, get }: Store<Value>): Value => useSyncExternalStore(watch, get)
