export {
  type Comparison,
  countEvents,
  deleteEvent,
  type Event,
  type EventFilter,
  type FoundEvent,
  findEvent,
  listEvents,
  type Target,
  type TimeCondition,
  type TimePart,
} from './events.queries.js'
export { type FormVerb, formEventRows, recordFormEvent, recordMessage, type TargetType } from './record.queries.js'
