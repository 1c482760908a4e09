import { appendFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** In characters. */
const LENGTH = 1200

/** Writes what failed to a file, so that a command of several runs can say all of it once more where its output ends. Nothing is written where nothing failed. */
export class Failures implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const told = [
      ...modules.flatMap((module) => [
        ...[module, ...module.children.allSuites()].flatMap((whole) => tell(module.relativeModuleId, whole.errors())),
        ...[...module.children.allTests('failed')].flatMap((test) =>
          tell(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []),
        ),
      ]),
      ...tell('outside of the tests', unhandled),
    ]
    if (told.length > 0) appendFileSync(this.#file, `${told.join('\n\n')}\n`)
  }
}

/** A few lines each: whoever sees only the end of a long output sees all that failed. */
const tell = (name: string, errors: readonly SerializedError[]): string[] =>
  errors.map(({ message, stack, diff }) => {
    const ours = `${stack ?? message}`.split('\n').filter((line) => !/node_modules|new Promise \(<anon/.test(line))
    return [`FAILED ${name}`, ours.join('\n').slice(0, LENGTH), diff ? `${diff}`.slice(0, LENGTH) : ''].join('\n')
  })
