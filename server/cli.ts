import { keepCompiled } from './compile-cache.ts'

keepCompiled()
// Only what is loaded after this is kept.
const { endedBy } = await import('./cli/report-failure.ts')
try {
  const { run } = await import('./cli/commands.ts')
  await run(process.argv.slice(2))
} catch (error) {
  endedBy(error as Error)
}
