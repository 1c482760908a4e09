import { useState } from 'react'

/**
 * The fields of a form: what was typed, over what is saved, which may be fetched again meanwhile. What is typed back to the
 * saved value is forgotten at once, and `forget` forgets what is still as it was sent.
 */
export function useDraft<Fields extends object>(saved: Fields) {
  const [typed, setTyped] = useState<Partial<Fields>>({})
  return {
    fields: { ...saved, ...typed },
    set: (change: Partial<Fields>) => setTyped((was) => without({ ...was, ...change }, saved)),
    forget: (sent: Partial<Fields>) => setTyped((was) => without(was, sent)),
  }
}

/** The fields that are not equal to those of the other. */
const without = <Fields extends object>(typed: Partial<Fields>, other: Partial<Fields>) =>
  Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => value !== other[name as keyof Fields]),
  ) as Partial<Fields>
