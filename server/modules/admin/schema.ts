import { z } from 'zod'
import { listCursor, listLimit, pathId, timestamp } from '../../platform/schema.ts'
import { Backups } from '../backups/schema.ts'

const Part = z
  .object({
    name: z.enum(['database', 'objects', 'redis', 'replica', 'pinIndex', 'identity']),
    state: z.enum(['ok', 'failed', 'off']).describe('`off`: not configured, or not in use at the moment'),
    ms: z.number().nullable().describe('Response time in milliseconds; `null` if it was not checked'),
    detail: z.string().nullable().describe('The error message, or details of the part'),
  })
  .meta({ id: 'BoxPart' })
export type Part = z.infer<typeof Part>

const Process = z
  .object({
    role: z.enum(['all', 'api', 'worker']).nullable().describe('`null` if the process does not report it'),
    address: z.string().nullable().describe('The address it connects to the database from; `null` on the same machine'),
    since: timestamp,
  })
  .meta({ id: 'BoxProcess' })

const Queue = z
  .object({
    name: z.string(),
    waiting: z.int(),
    active: z.int(),
    failed: z.int(),
    oldestWaitingSeconds: z.number().nullable(),
  })
  .meta({ id: 'BoxQueue' })

const Disk = z
  .object({
    freeBytes: z.int(),
    totalBytes: z.int(),
    reserveBytes: z.int().describe('Bytes that uploads must leave free'),
  })
  .meta({ id: 'BoxDisk' })
export type Disk = z.infer<typeof Disk>

export const Health = z
  .object({
    version: z.string(),
    startedAt: timestamp.describe('When the responding process started'),
    role: z.enum(['all', 'api', 'worker']),
    publicUrl: z.string(),
    parts: z.array(Part),
    disk: Disk.nullable().describe('The disk of the data folder; `null` if it cannot be read'),
    database: z
      .object({
        bytes: z.int(),
        connections: z.int().describe('Connections of all clients of this database'),
        freeBytes: z.int().nullable().describe('Free bytes on the disk of the database; `null` if unknown'),
        reserveBytes: z.int().describe('With fewer bytes free, writes are refused'),
      })
      .meta({ id: 'BoxDatabase' }),
    processes: z.array(Process).describe('Processes that use this database, oldest first'),
    queues: z.array(Queue),
    webhooks: z
      .object({
        waiting: z.int().describe('Deliveries that have not arrived yet'),
        failing: z.int().describe('Webhooks that accept nothing, including those that were disabled for that reason'),
      })
      .meta({ id: 'BoxWebhooks' }),
    backups: Backups.describe('Scheduled backups'),
  })
  .meta({ id: 'BoxHealth' })
export type Health = z.infer<typeof Health>

const JobState = z.enum(['failed', 'active', 'waiting'])

const Job = z
  .object({
    id: z.string(),
    queue: z.string(),
    state: JobState,
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
    attempts: z.int().describe('Runs started'),
    subject: z
      .string()
      .nullable()
      .describe('The ID of the scan, import or app, or of a file with the content that is converted'),
    errorMessage: z.string().nullable().describe('The error of the last failed run'),
  })
  .meta({ id: 'BoxJob' })
export type Job = z.infer<typeof Job>

export const JobList = z.object({ jobs: z.array(Job) }).meta({ id: 'BoxJobList' })

export const JobQuery = z.object({
  state: JobState.optional().describe('Only jobs in this state'),
  queue: z.string().min(1).max(100).optional().describe('Only jobs of this queue'),
  limit: listLimit(100, 1000),
  cursor: listCursor,
})
export type JobQuery = z.infer<typeof JobQuery>

export const JobParams = z.object({ queue: z.string().max(100).describe('The queue of the job'), id: pathId('Job') })

const Limit = z
  .object({
    name: z.string(),
    setting: z.string().describe('The environment variable that sets it'),
    value: z.number(),
    unit: z.string().meta({ example: 'requests a minute' }),
    description: z.string(),
  })
  .meta({ id: 'BoxLimit' })
export type Limit = z.infer<typeof Limit>

export const LimitList = z.object({ limits: z.array(Limit) }).meta({ id: 'BoxLimitList' })
