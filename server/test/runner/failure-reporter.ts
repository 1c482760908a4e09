import { appendFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** In characters. */
const LENGTH = 1200

/** Appends failures to a file, so that a command with several runs can print them all at its end. Writes nothing without a file, or without failures. */
export class Failures implements Reporter {
  readonly #file: string | undefined

  constructor(file: string | undefined) {
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap((module) => [
        ...[module, ...module.children.allSuites()].flatMap((suite) => report(module.relativeModuleId, suite.errors())),
        ...[...module.children.allTests('failed')].flatMap((test) =>
          report(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []),
        ),
      ]),
      ...report('outside of the tests', unhandled),
    ]
    if (this.#file && failures.length > 0) appendFileSync(this.#file, `${failures.join('\n\n')}\n`)
  }
}

/** A few lines each, so that the end of a long output shows all failures. */
const report = (name: string, errors: readonly SerializedError[]): string[] =>
  errors.map(({ message, stack, diff }) => {
    const ours = `${stack ?? message}`.split('\n').filter((line) => !/node_modules|new Promise \(<anon/.test(line))
    return [`FAILED ${name}`, ours.join('\n').slice(0, LENGTH), diff ? `${diff}`.slice(0, LENGTH) : ''].join('\n')
  })
