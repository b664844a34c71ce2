export {
  type DataRecord,
  type FeatureOptions,
  featureKeys,
  featureOf,
  geometryOf,
  hasPlaces,
  isPoint,
} from './features.js'
