/** Milliseconds between two lines in a file or pipe, and between two updates of a terminal line. */
const LINE_MS = 5000
const TERMINAL_MS = 200

export type Progress = { show: (text: string) => void; end: () => void }

/** Shows the progress of long work on standard error: on a terminal in one changing line, elsewhere in lines if requested. Standard output has only the result. */
export function createProgress({ progress = false }: { progress?: boolean | undefined }): Progress {
  const { stderr } = process
  const isTerminal = stderr.isTTY === true && !progress
  if (!isTerminal && !progress) return { show: () => {}, end: () => {} }
  let last = Number.NEGATIVE_INFINITY
  let isOpen = false
  return {
    show(text) {
      const now = performance.now()
      if (now - last < (isTerminal ? TERMINAL_MS : LINE_MS)) return
      last = now
      // Move to the start of the line and clear it.
      stderr.write(isTerminal ? `\r\x1b[K${text.slice(0, (stderr.columns ?? 80) - 1)}` : `${text}\n`)
      isOpen = isTerminal
    },
    end() {
      if (isOpen) stderr.write('\r\x1b[K')
      isOpen = false
    },
  }
}

/** Formats bytes for people. */
export function readable(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  return power === 0 ? `${bytes} B` : `${(bytes / 2 ** (10 * power)).toFixed(1)} ${units[power]}`
}
