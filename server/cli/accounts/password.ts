import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from '../context.ts'

/** Reads a new password from standard input, or asks for it twice on the terminal without echo. Never from the command line, where others could read it. */
export async function readPassword({ fromStdin }: { fromStdin: boolean }): Promise<string> {
  if (fromStdin) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY) throw new UsageError('Pass the password on standard input: --password-stdin')
  const answers = await ask(['Password: ', 'Password again: '])
  if (answers[0] !== answers[1]) throw new Error('The two passwords differ')
  return answers[0]!
}

/** Raw mode disables the echo; the output of readline is discarded. */
async function ask(questions: string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  const cancelled = new AbortController()
  terminal.on('SIGINT', () => cancelled.abort(new Error('Nothing was changed')))
  terminal.on('close', () => cancelled.abort(new Error('Nothing was changed')))
  try {
    const answers: string[] = []
    for (const question of questions) {
      process.stderr.write(question)
      answers.push(await terminal.question('', { signal: cancelled.signal }))
      process.stderr.write('\n')
    }
    return answers
  } catch {
    process.stderr.write('\n')
    throw new Error('Nothing was changed')
  } finally {
    terminal.close()
  }
}
