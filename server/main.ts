import { useCompileCache } from './compile-cache.ts'
import { letYoungGenerationGrow } from './platform/process/garbage.ts'

try {
  useCompileCache()
  letYoungGenerationGrow(false)
  // Only modules loaded after this are cached.
  const { serve } = await import('./serve.ts')
  await serve()
} catch (error) {
  console.error(`Cairn did not start. ${(error as Error).message}`)
  process.exit(1)
}
