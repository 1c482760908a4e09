import { pino } from 'pino'

export type Log = ReturnType<typeof createLog>

/** JSON lines on standard output. Credentials never enter a log line: requests are logged by method, route and status only, and of an error only what names it (a database error also carries row values and connection secrets). */
export const createLog = (level: string) =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: named },
  })

const named = ({ name, message, stack, code }: Error & { code?: string }) => ({ name, message, code, stack })
