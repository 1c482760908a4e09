import { notifications } from '@mantine/notifications'
import { words } from '../../messages/index.ts'
import { sentenceOf } from './failure.tsx'

/** Says what was done, where the result is off screen. */
export const told = (message: string) => notifications.show({ message, color: 'tarn' })

/** Says that something was not done, and why. */
export const notDone = (error: unknown, title: string = words.states.notSaved) =>
  notifications.show({ title, message: sentenceOf(error), color: 'red', autoClose: false })
