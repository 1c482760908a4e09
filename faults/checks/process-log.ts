/** What a process says of faults that are its own (answered 500) in what it has written: lines of JSON, see platform/logging/log.ts. Short. */
export const faultsIn = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => line.includes('internal fault'))
    .map((line) => {
      try {
        const { err } = JSON.parse(line) as { err?: { message?: string; code?: string; stack?: string } }
        return `${err?.code ?? ''} ${err?.stack ?? line}`.slice(0, 600)
      } catch {
        return line.slice(0, 600)
      }
    })
