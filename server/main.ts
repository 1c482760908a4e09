import { useCompileCache } from './compile-cache.ts'

try {
  useCompileCache()
  // Only what is loaded after this is kept.
  const { serve } = await import('./serve.ts')
  await serve()
} catch (error) {
  console.error(`Cairn did not start. ${(error as Error).message}`)
  process.exit(1)
}
