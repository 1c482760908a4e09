import { useState } from 'react'

/** The fields of a form: what was typed, over what is saved, which may be fetched again meanwhile. `reset` forgets what was typed. */
export function useDraft<Fields extends object>(saved: Fields) {
  const [typed, setTyped] = useState<Partial<Fields>>({})
  return {
    fields: { ...saved, ...typed },
    set: (change: Partial<Fields>) => setTyped((was) => ({ ...was, ...change })),
    reset: () => setTyped({}),
  }
}
