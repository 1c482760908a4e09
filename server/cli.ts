import { useCompileCache } from './compile-cache.ts'

useCompileCache()
// Only modules loaded after this are cached.
const { reportFailure } = await import('./cli/report-failure.ts')
try {
  const { run } = await import('./cli/commands.ts')
  await run(process.argv.slice(2))
} catch (error) {
  reportFailure(error as Error)
}
