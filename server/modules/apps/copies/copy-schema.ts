import { z } from 'zod'
import { Environment, NewApp } from '../schema.ts'

export const AppCopy = z
  .object({
    name: NewApp.shape.name
      .nullish()
      .describe('Default: the name of the app, with the environment of the copy in parentheses'),
    environment: Environment.nullish().describe('Default: the environment that the copied app does not have'),
  })
  .meta({ id: 'AppCopy' })
export type AppCopy = z.infer<typeof AppCopy>
