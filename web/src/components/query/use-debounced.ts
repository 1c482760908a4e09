import { useDebouncedValue } from '@mantine/hooks'

/** Long enough for the next key, short enough not to be waited for. */
const PAUSE_MS = 200

/** What somebody types into a search, once they pause: the service is asked then, not with each key. */
export function useDebounced<Value>(typed: Value): Value {
  const [settled] = useDebouncedValue(typed, PAUSE_MS)
  return settled
}
