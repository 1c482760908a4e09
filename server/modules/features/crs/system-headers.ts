import { transformationHeader } from '../../../platform/http/transformation-header.ts'
import type { UsedOperation } from './positions.ts'
import { contentCrs, type FeatureSystem } from './systems.ts'

/** The headers that name the reference system of a response, and the accuracy of its coordinates. */
export const systemHeaders = ({ system, operations }: { system: FeatureSystem; operations: UsedOperation[] }) => ({
  'content-crs': contentCrs(system),
  ...(operations.length > 0 && { transformation: transformationHeader(operations) }),
})
