/** One command, with what its help says. */
export type Command = {
  /** The words that call it. */
  words: string
  /** What follows them. */
  usage: string
  /** One line. */
  summary: string
  /** What one must know before using it. */
  about?: string
  /** What each word and option means. */
  options?: [string, string][]
  /** Command lines, and what they do. */
  examples: [string, string][]
  /** Exit codes beside those that all have. */
  exits?: [number, string][]
  run: (args: string[]) => Promise<void>
}

/** Commands that belong together. */
export type Group = { title: string; commands: Command[] }

export const JSON_OUTPUT = { json: { type: 'boolean' } } as const
export const PROGRESS = { progress: { type: 'boolean' } } as const

/** One JSON object, or words. */
export function printResult({ json }: { json?: boolean | undefined }, record: object, words: string): void {
  console.log(json ? JSON.stringify(record) : words)
}

/** A count and what it counts. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
