import { useCompileCache } from './compile-cache.ts'

try {
  useCompileCache()
  // Only modules loaded after this are cached.
  const { serve } = await import('./serve.ts')
  await serve()
} catch (error) {
  console.error(`Cairn did not start. ${(error as Error).message}`)
  process.exit(1)
}
