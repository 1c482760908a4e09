/** A command with its help. */
export type Command = {
  /** The words that select it. */
  words: string
  /** Another word for it. */
  alias?: string
  /** Its arguments. */
  usage: string
  /** One line. */
  summary: string
  /** What to know before using it. */
  about?: string
  /** The meaning of each argument and option. */
  options?: [string, string][]
  /** Example command lines with explanations. */
  examples: [string, string][]
  /** Exit codes besides the common ones. */
  exits?: [number, string][]
  run: (args: string[]) => Promise<void>
}

/** A group of commands. */
export type Group = { title: string; commands: Command[] }

export const JSON_OUTPUT = { json: { type: 'boolean' } } as const
export const PROGRESS = { progress: { type: 'boolean' } } as const

/** Prints one JSON object, or text. */
export function printResult({ json }: { json?: boolean | undefined }, record: object, words: string): void {
  console.log(json ? JSON.stringify(record) : words)
}

/** Formats a count with its noun. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
