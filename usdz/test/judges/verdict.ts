/** The result of one reader for one file. Counts that a reader cannot give are absent. */
export type Verdict = {
  file: string
  ok: boolean
  meshes?: number
  triangles?: number
  materials?: number
  /** Distinct image files of its materials. */
  textures?: number
  /** Of all skeletons. */
  joints?: number
  blendShapes?: number
  /** Smallest x y z, largest x y z in world space. */
  bounds?: number[]
  error?: string
}

/** The main function of each judge: a child process that reads the given files and prints a verdict a line. */
export async function printVerdicts(read: (file: string) => Promise<Omit<Verdict, 'file' | 'ok'>>): Promise<void> {
  for (const file of process.argv.slice(2)) {
    let verdict: Verdict
    try {
      verdict = { file, ok: true, ...(await read(file)) }
    } catch (error) {
      verdict = { file, ok: false, error: error instanceof Error ? error.message : String(error) }
    }
    process.stdout.write(`${JSON.stringify(verdict)}\n`)
  }
}

/** Prints an empty line: a judge that is silent counts as hanging, and many moments of a large model take long. */
export const printProgress = (): void => {
  process.stdout.write('\n')
}
