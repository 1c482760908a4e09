import { z } from 'zod'
import { listCursor, listLimit, moment, pathId } from '../../platform/schema.ts'

const Part = z
  .object({
    name: z.enum(['database', 'objects', 'redis', 'replica', 'pinIndex', 'identity']),
    state: z.enum(['ok', 'failed', 'off']).describe('off: not set up, or not in use just now'),
    ms: z.number().nullable().describe('How long it took to answer; null where nothing was asked'),
    detail: z.string().nullable(),
  })
  .meta({ id: 'BoxPart' })
export type Part = z.infer<typeof Part>

const Process = z
  .object({
    role: z.enum(['all', 'api', 'worker']).nullable().describe('null where the process does not say it'),
    address: z.string().nullable().describe('From where it reaches the database; null on the same machine'),
    since: moment,
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
  .object({ freeBytes: z.int(), totalBytes: z.int(), reserveBytes: z.int().describe('Uploads leave so much free') })
  .meta({ id: 'BoxDisk' })
export type Disk = z.infer<typeof Disk>

export const Health = z
  .object({
    version: z.string(),
    startedAt: moment.describe('Of the process that answers'),
    role: z.enum(['all', 'api', 'worker']),
    publicUrl: z.string(),
    parts: z.array(Part),
    disk: Disk.nullable().describe('Of the data folder; null where it cannot be read'),
    database: z
      .object({
        bytes: z.int(),
        connections: z.int().describe('Of all that use this database'),
        freeBytes: z.int().nullable().describe('Of the disk that it lies on; null where that is not known'),
        reserveBytes: z.int().describe('With less free, writes are refused'),
      })
      .meta({ id: 'BoxDatabase' }),
    processes: z.array(Process).describe('That work on this database, the first one first'),
    queues: z.array(Queue),
    webhooks: z
      .object({
        waiting: z.int().describe('Deliveries that did not arrive yet'),
        failing: z.int().describe('Webhooks where nothing arrives, those that were disabled for it among them'),
      })
      .meta({ id: 'BoxWebhooks' }),
  })
  .meta({ id: 'BoxHealth' })
export type Health = z.infer<typeof Health>

const JobState = z.enum(['failed', 'active', 'waiting'])

const Job = z
  .object({
    id: z.string(),
    queue: z.string(),
    state: JobState,
    createdAt: moment,
    startedAt: moment.nullable(),
    endedAt: moment.nullable(),
    attempts: z.int().describe('Runs begun'),
    subject: z
      .string()
      .nullable()
      .describe('The id of its scan, import or app, or of a file with the bytes it converts'),
    errorMessage: z.string().nullable().describe('Of the last run that failed'),
  })
  .meta({ id: 'BoxJob' })
export type Job = z.infer<typeof Job>

export const JobList = z.object({ jobs: z.array(Job) }).meta({ id: 'BoxJobList' })

export const JobQuery = z.object({
  state: JobState.optional(),
  queue: z.string().min(1).max(100).optional(),
  limit: listLimit(100, 1000),
  cursor: listCursor,
})
export type JobQuery = z.infer<typeof JobQuery>

export const JobParams = z.object({ queue: z.string().max(100), id: pathId('Job') })

const Limit = z
  .object({
    name: z.string(),
    setting: z.string().describe('What sets it in the environment'),
    value: z.number(),
    unit: z.string().meta({ example: 'requests a minute' }),
    description: z.string(),
  })
  .meta({ id: 'BoxLimit' })
export type Limit = z.infer<typeof Limit>

export const LimitList = z.object({ limits: z.array(Limit) }).meta({ id: 'BoxLimitList' })
