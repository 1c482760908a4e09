import { type DestinationStream, pino } from 'pino'

export type Log = ReturnType<typeof createLog>

/** Of lines that nobody has read yet; further ones are left out. */
const MAX_WAITING_BYTES = 64 * 2 ** 20

/** JSON lines on standard output, which whoever writes them does not wait for. Credentials never enter a log line: requests are logged by method, route and status only, and of an error only what names it (a database error also carries row values and connection secrets). */
export const createLog = (level: string, output: DestinationStream = toStandardOutput()) =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: named },
      // Packages log what they were given: the form parser, at "trace", every header of the request.
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
