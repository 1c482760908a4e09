import { appendFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** In characters. */
const LENGTH = 1200

/** Says what failed at first and passed at a second attempt, which is a defect all the same: of the test or of what it tests. With a file it writes that there, and what failed, so that a command of several runs can say all of it once more where its output ends. Nothing is written where nothing failed. */
export class Failures implements Reporter {
  readonly #file: string | undefined

  constructor(file: string | undefined) {
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const atFirst = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => test.diagnostic()?.flaky)
        .flatMap((test) =>
          tell(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors ?? [], 'FAILED AT FIRST'),
        ),
    )
    if (atFirst.length > 0) console.log(`\n${atFirst.join('\n\n')}\n`)
    const told = [
      ...atFirst,
      ...modules.flatMap((module) => [
        ...[module, ...module.children.allSuites()].flatMap((whole) => tell(module.relativeModuleId, whole.errors())),
        ...[...module.children.allTests('failed')].flatMap((test) =>
          tell(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []),
        ),
      ]),
      ...tell('outside of the tests', unhandled),
    ]
    if (this.#file && told.length > 0) appendFileSync(this.#file, `${told.join('\n\n')}\n`)
  }
}

/** A few lines each: whoever sees only the end of a long output sees all that failed. */
const tell = (name: string, errors: readonly SerializedError[], what = 'FAILED'): string[] =>
  errors.map(({ message, stack, diff }) => {
    const ours = `${stack ?? message}`.split('\n').filter((line) => !/node_modules|new Promise \(<anon/.test(line))
    return [`${what} ${name}`, ours.join('\n').slice(0, LENGTH), diff ? `${diff}`.slice(0, LENGTH) : ''].join('\n')
  })
