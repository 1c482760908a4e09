import { pino } from 'pino'

export type Log = ReturnType<typeof createLog>

/** JSON lines on standard output. Credentials never enter a log line: requests are logged by method, route and status only. */
export const createLog = (level: string) =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  })
