/** One comparison: ours beside a peer or a limit, measured in the same run. Only the ratio means something on another machine; which way round it goes, the name or the target says. */
export type Comparison = { name: string; ours: object; peer: object; ratio: number; target: string }
