import { type DestinationStream, pino } from 'pino'

export type Log = ReturnType<typeof createLog>

/** Maximum bytes of unread log lines; further lines are dropped. */
const MAX_WAITING_BYTES = 64 * 2 ** 20

/**
 * Logs JSON lines to standard output without blocking the writer. No log line contains credentials: requests are logged
 * by method, route and status, errors by their name and message only (a database error also carries row values and
 * connection secrets).
 */
export const createLog = (level: string, output: DestinationStream = toStandardOutput()) =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: named },
      // Packages log what they are given: the form parser logs every request header at "trace".
      redact: { paths: ['headers', '*.headers'], remove: true },
    },
    output,
  )

const named = ({ name, message, stack, code, cause }: Error & { code?: string }) => ({
  name,
  message,
  code,
  ...(cause instanceof Error && { cause: `${cause.name}: ${cause.message}` }),
  stack,
})

const toStandardOutput = () => pino.destination({ dest: 1, sync: false, maxLength: MAX_WAITING_BYTES })
