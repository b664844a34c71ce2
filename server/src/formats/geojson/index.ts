export {
  type DataRecord,
  type FeatureMaker,
  type FeatureOptions,
  featureKeys,
  featureMaker,
  geometryOf,
  hasPlaces,
  isPoint,
} from './features.js'
