/**
 * Returns the internal errors (500) in the output of a process: lines of JSON, see platform/logging/log.ts. Shortened.
 */
export const faultsIn = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => line.includes('internal error'))
    .map((line) => {
      try {
        const { err } = JSON.parse(line) as { err?: { message?: string; code?: string; stack?: string } }
        return `${err?.code ?? ''} ${err?.stack ?? line}`.slice(0, 600)
      } catch {
        return line.slice(0, 600)
      }
    })
