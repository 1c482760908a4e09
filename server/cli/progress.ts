/** Between two lines for a file or a pipe, and between two looks of a terminal's line. */
const LINE_MS = 5000
const TERMINAL_MS = 200

export type Progress = { show: (text: string) => void; end: () => void }

/** Tells on standard error how far long work is: on a terminal in one line that changes, elsewhere, when asked, in lines. Nothing stands in the way of the answer on standard output. */
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
      // To the beginning of the line, and nothing left of what stood there.
      stderr.write(isTerminal ? `\r\x1b[K${text.slice(0, (stderr.columns ?? 80) - 1)}` : `${text}\n`)
      isOpen = isTerminal
    },
    end() {
      if (isOpen) stderr.write('\r\x1b[K')
      isOpen = false
    },
  }
}

/** Bytes as people read them. */
export function readable(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  return power === 0 ? `${bytes} B` : `${(bytes / 2 ** (10 * power)).toFixed(1)} ${units[power]}`
}
