import { notifications } from '@mantine/notifications'
import { messages } from '../../messages/index.ts'
import { errorMessage } from './failure.tsx'

/** Says what was done, where the result is off screen. */
export const notifySuccess = (message: string) => notifications.show({ message, color: 'tarn' })

/** Says that something was not done, and why. */
export const notifyError = (error: unknown, title: string = messages.states.notSaved) =>
  notifications.show({ title, message: errorMessage(error), color: 'red', autoClose: false })
