import { defineSettings, setting } from '../../platform/config/index.js'

export const restServiceSettings = defineSettings('Rest services', {
  timeoutSeconds: setting.integer('REST_SERVICE_TIMEOUT_SECONDS', {
    default: 30,
    min: 1,
    max: 300,
    doc: 'Longest wait for the answer of a receiver.',
  }),
  concurrency: setting.integer('REST_SERVICE_CONCURRENCY', {
    default: 4,
    min: 1,
    max: 64,
    doc: 'Calls to one rest service at the same time, from one process. While a receiver fails it is called one at a time.',
  }),
  retryHours: setting.integer('REST_SERVICE_RETRY_HOURS', {
    default: 48,
    min: 0,
    max: 720,
    doc: 'How long a delivery is tried again, from its first try on; 0 tries once.',
  }),
  pauseHours: setting.integer('REST_SERVICE_PAUSE_HOURS', {
    default: 24,
    min: 0,
    max: 720,
    doc: 'After so many hours of failures and nothing else, a rest service is paused and its owner gets a mail; 0 never pauses.',
  }),
  logDays: setting.integer('REST_SERVICE_LOG_DAYS', {
    default: 30,
    min: 1,
    max: 3650,
    doc: 'Days until a delivery is forgotten, also one that still waits because nobody resumed its rest service.',
  }),
})
