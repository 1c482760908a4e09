import { useDebouncedValue } from '@mantine/hooks'

/** Long enough to skip intermediate keystrokes, short enough to feel immediate. */
const PAUSE_MS = 200

/** The value after the user stops typing. */
export function useDebounced<Value>(typed: Value): Value {
  const [settled] = useDebouncedValue(typed, PAUSE_MS)
  return settled
}
