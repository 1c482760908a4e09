/**
 * One comparison with a peer or a limit, measured in the same run. Only the ratio is meaningful on other machines; the
 * name or target states its direction.
 */
export type Comparison = { name: string; ours: object; peer: object; ratio: number; target: string }
