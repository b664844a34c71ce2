export {
  type DataRecord,
  type FeatureOptions,
  featureOf,
  type Geometry,
  geometryOf,
  hasPlaces,
  isPoint,
} from './features.js'
