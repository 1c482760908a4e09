import { useCompileCache } from './compile-cache.ts'
import { letYoungGenerationGrow } from './platform/process/garbage.ts'

useCompileCache()
letYoungGenerationGrow(false)
// A reader such as `head` may leave before the end: the command continues to its own.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
// Only modules loaded after this are cached.
const { reportFailure } = await import('./cli/report-failure.ts')
try {
  const { run } = await import('./cli/commands.ts')
  letYoungGenerationGrow(true)
  await run(process.argv.slice(2))
} catch (error) {
  reportFailure(error as Error)
}
