/** One object of every class of the 3D half, and a call of each of its methods that is right. */
import * as A from "../../../src/anim/index.js";

export interface Specimen {
  // Methods are called by name.
  readonly object: any;
  /** Arguments of one right call, by method. */
  readonly calls: Record<string, readonly unknown[]>;
}

const BONES: readonly (readonly [string, number, number, number, number])[] = [
  ["hips", -1, 0, 1, 0], ["spine", 0, 0, 0.3, 0], ["head", 1, 0, 0.3, 0],
  ["lUp", 0, 0.1, 0, 0], ["lLow", 3, 0, -0.45, 0.01], ["lFoot", 4, 0, -0.45, 0], ["lToe", 5, 0, -0.05, 0.1],
  ["rUp", 0, -0.1, 0, 0], ["rLow", 7, 0, -0.45, 0.01], ["rFoot", 8, 0, -0.45, 0], ["rToe", 9, 0, -0.05, 0.1],
  ["tail0", 0, 0, 0, -0.1], ["tail1", 11, 0, 0, -0.2], ["tail2", 12, 0, 0, -0.2],
];

export function body(): A.AnimSkeleton {
  const skeleton = new A.AnimSkeleton();
  for (const [name, parent, x, y, z] of BONES) skeleton.setBindPosition(skeleton.addBone(name, parent), x, y, z);
  return skeleton;
}

export function walk(name = "walk"): A.AnimClip {
  const clip = new A.AnimClip(name);
  for (let k = 0; k <= 4; k++) {
    clip.addPositionKey(0, k / 4, 0, 1, k / 4);
    clip.addRotationKey(1, k / 4, 0, Math.sin(k * 0.1), 0, Math.cos(k * 0.1));
    clip.addScaleKey(2, k / 4, 1, 1, 1);
  }
  clip.addEvent(0.5, "step", "p");
  clip.addSyncMarker(0.2, "l");
  clip.addSyncMarker(0.7, "r");
  clip.addCurve("curve");
  clip.addCurveKey("curve", 0, 1);
  clip.addCurveKey("curve", 1, 2);
  return clip;
}

function triangle(skeleton: A.AnimSkeleton): A.AnimSkin {
  const unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  return A.AnimSkin.fromArrays({
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], normals: [0, 0, 1, 0, 0, 1, 0, 0, 1], tangents: [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1], indices: [0, 1, 2],
    joints: [0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0], weights: [1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0], jointNames: ["hips", "spine"], inverseBind: [...unit, ...unit],
    targets: [{ name: "t", positions: [0, 0, 0, 0, 0, 0, 0, 0, 0.1] }],
  }, skeleton);
}

function posed(skeleton: A.AnimSkeleton): A.AnimPose {
  const pose = new A.AnimPose();
  skeleton.applyBindPose(pose);
  pose.computeWorld(skeleton);
  return pose;
}

const room = (): Float32Array => new Float32Array(400);
const locals = (): number[] => Array.from({ length: BONES.length * 10 }, (_, i) => (i % 10 === 6 ? 1 : 0));

export const SPECIMENS: Record<string, () => Specimen> = {
  AnimSkeleton: () => ({
    object: body(),
    calls: {
      addBone: ["x", 0], getBoneCount: [], getBoneName: [0], findBone: ["hips"], getParent: [1], setBindPosition: [1, 0, 0, 0], setBindRotation: [1, 0, 0, 0, 1],
      setBindScale: [1, 1, 1, 1], getBindPositionX: [1], getBindRotationW: [1], getBindScaleZ: [1], applyBindPose: [new A.AnimPose(14)], setBoneLodLimit: [1, 2],
      getBoneLodLimit: [1], validateLod: [], getChildCount: [0], getChild: [0, 0], getRoots: [], isAncestor: [0, 1], getDepth: [1], getBoneLength: [0],
      subtreeEnd: [0], addSocket: ["s", 1, [0, 0, 1], [0, 0, 0, 1], [1, 1, 1]], getSocketCount: [], findSocket: ["s"], mirrorMap: [], computeBindWorld: [], getBindWorldMatrixElement: [1, 3], clone: [], getHash: [], isFrozen: [],
    },
  }),
  AnimClip: () => {
    const skeleton = body(), other = body();
    return {
      object: walk(),
      calls: {
        setName: ["a"], getName: [], setDuration: [2], getDuration: [], setLoop: [true], getLoop: [], setSampleRate: [30], getSampleRate: [], wrapTime: [0.2],
        addPositionKey: [0, 0.1, 0, 0, 0], addRotationKey: [0, 0.1, 0, 0, 0, 1], addScaleKey: [0, 0.1, 1, 1, 1], setPositionKey: [0, 0, 0.1, 0, 0, 0],
        setRotationKey: [1, 0, 0.1, 0, 0, 0, 1], setScaleKey: [2, 0, 0.1, 1, 1, 1], removePositionKey: [0, 0], removeRotationKey: [1, 0], removeScaleKey: [2, 0],
        clearTrack: [0], getTrackCount: [], getPositionKeyCount: [0], getRotationKeyCount: [0], getScaleKeyCount: [0], getPositionKeyTime: [0, 0],
        getPositionKeyX: [0, 0], getRotationKeyW: [1, 0], getScaleKeyZ: [2, 0], addEvent: [0.1, "e", "p"], setEvent: [0, 0.1, "e", "p"], removeEvent: [0],
        getEventCount: [], getEventTime: [0], getEventName: [0], getEventPayload: [0], addSyncMarker: [0.1, "m"], setSyncMarker: [0, 0.1, "m"], removeSyncMarker: [0],
        getSyncMarkerCount: [], getSyncMarkerTime: [0], getSyncMarkerName: [0], hasCompatibleSyncMarkers: [walk("b")], mapSyncTimeTo: [walk("b"), 0.1],
        sample: [0.1, new A.AnimPose(14), skeleton], sampleLod: [0.1, new A.AnimPose(14), skeleton, 1], compress: [0.1, 0.1, 0.1], retarget: [skeleton, other],
        retargetWithProfile: [skeleton, other, new A.AnimRetargetProfile()], applyPlanarRootMotion: [0, 1, 1], setTrackKeys: [0, "position", [0, 1], [0, 0, 0, 1, 1, 1]],
        setTrackInterpolation: [0, "position", "linear"], getTrackInterpolation: [0, "position"], addCurve: ["q"], addCurveKey: ["curve", 0.1, 1],
        sampleCurve: ["curve", 0.1], compile: ["uniform", { rate: 30 }], clone: [],
      },
    };
  },
  AnimPose: () => {
    const skeleton = body();
    return {
      object: posed(skeleton),
      calls: {
        resize: [14], getBoneCount: [], copyFrom: [new A.AnimPose(3)], blendFrom: [new A.AnimPose(14), new A.AnimPose(14), 0.5], setLocalPosition: [0, 0, 0, 0],
        setLocalRotation: [0, 0, 0, 0, 1], setLocalScale: [0, 1, 1, 1], getLocalPositionX: [0], getLocalRotationW: [0], getLocalScaleZ: [0], computeWorld: [skeleton],
        computeWorldSubtree: [skeleton, 1], isWorldValid: [], getWorldPositionX: [0], getWorldRotationW: [0], getWorldMatrixElement: [0, 1], getWorldScaleX: [0],
        getWorldMatrix: [0, room(), 0], writeWorldTo: [room(), 0], writeLocalTo: [room(), 0], readLocalFrom: [locals(), 0], transformPoint: [0, 1, 2, 3, room(), 0], getSocketMatrix: [skeleton, skeleton.addSocket("s", 2), room(), 0],
        setWorldRotation: [skeleton, 1, 0, 0, 0, 1], setWorldPosition: [skeleton, 1, 0, 0, 0], aimBone: [skeleton, 1, 1, 1, 1, 1],
        solveTwoBoneIK: [skeleton, 3, 4, 5, 0, 0, 0, 0, 0, 1, 1],
      },
    };
  },
  AnimPlayer: () => {
    const object = new A.AnimPlayer(body());
    object.play(walk());
    object.update(0.6);
    return {
      object,
      calls: {
        play: [walk()], crossFade: [walk(), 0.1], crossFadeSynced: [walk(), 0.1], queue: [walk(), 0.1], playReverse: [walk()], stop: [], pause: [], resume: [],
        setSpeed: [1], getSpeed: [], setTime: [0.1], getTime: [], setLoop: [true], getLoop: [], clearLoopOverride: [], isPlaying: [], isPaused: [], getClip: [], getPose: [],
        setRootMotionBone: [0], getRootMotionBone: [], setRootMotionMode: [{ translation: "xz" }], getRootMotionX: [], getRootMotionRotationW: [], consumeEvent: [],
        getEventCount: [], getEventName: [0], getEventPayload: [0], clearEvents: [], setUpdateRate: [15], getUpdateRate: [], setUpdatePhase: [0.5], setFadeCurve: ["smooth"],
        setInertialCurve: ["quintic"], setLod: [0], setEventPolicy: ["all"], getWeight: [], getLoopCount: [], update: [0.1],
      },
    };
  },
  AnimGraph: () => {
    const skeleton = body(), object = new A.AnimGraph(skeleton), a = object.addClip(walk()), b = object.addClip(walk("b"));
    const blend = object.addBlend(a, b, 0.5), additive = object.addAdditive(blend, b, 1), layer = object.addLayer(additive, b);
    const line = object.addBlendSpace1D(), plane = object.addBlendSpace2D(), shot = object.addOneShot(layer, object.addClip(walk("c"))), free = object.addClip(walk("d"));
    object.addBlendSpace1DPoint(line, 0, a);
    object.addBlendSpace2DPoint(plane, 0, 0, a);
    object.addParameter("p");
    return {
      object,
      calls: {
        addClip: [walk()], addBlend: [a, b, 0.5], addAdditive: [a, b, 1], addLayer: [a, b, 1], addOneShot: [a, free, 0.1, 0.1], addBlendSpace1D: [], addBlendSpace2D: [],
        addBlendSpace1DPoint: [line, 1, b], addBlendSpace2DPoint: [plane, 1, 1, b], setPosition1D: [line, 0.5], setPosition2D: [plane, 0.5, 0.5],
        setBoneMask: [layer, 1, 1, true], clearBoneMask: [layer], fillBoneMask: [layer, 1], setMask: [layer, new A.AnimBoneMask(skeleton)], setWeight: [blend, 0.5],
        setSpeed: [a, 1], trigger: [shot], isOneShotActive: [shot], setAdditiveReference: [additive, "bind"], getAdditiveReference: [additive], setRoot: [shot], getRoot: [],
        getNodeCount: [], getPose: [], getPointWeight: [line, 0], addParameter: ["q", 1], setFloat: ["p", 1], setRootMotionBone: [0], setLod: [1], getNodeWeight: [a],
        setBlendSpaceSync: [line, "none"], setBlendSpaceMode: [plane, "gradientBand"], getBlendSpaceMode: [plane], update: [0.1], toJSON: [], instantiate: [], captureState: [], getEventCount: [], consumeEvent: [],
      },
    };
  },
  AnimStateMachine: () => {
    const object = new A.AnimStateMachine(body());
    object.addState("a", walk());
    object.addState("b", walk());
    const t = object.addTransition("a", "b", 0.1);
    object.addFloatCondition(t, "f", ">", 1);
    object.addBoolCondition(t, "b", true);
    object.addTriggerCondition(t, "t");
    object.setEntry("a");
    return {
      object,
      calls: {
        addState: ["c", walk()], setEntry: ["a"], addTransition: ["a", "b", 0.1], addFloatCondition: [t, "f", ">", 1], addBoolCondition: [t, "b", true],
        addTriggerCondition: [t, "t"], setExitTime: [t, 0.5], setHasExitTime: [t, true], setFloat: ["f", 1], getFloat: ["f"], setBool: ["b", true], getBool: ["b"],
        setTrigger: ["t"], resetTrigger: ["t"], getTrigger: ["t"], setTriggerTimeout: ["t", 0.5], getTriggerTimeout: ["t"], forceState: ["b", 0.2], hasState: ["a"], getStateCount: [], getCurrentState: [], getPose: [], getStateTime: [], isBlending: [],
        update: [0.1], captureState: [], resetToDefaults: [], restoreState: [object.captureState()], setTransitionMode: [t, "frozen"], setInterruptible: [t, "both"],
        setRootMotionBone: [0], instantiate: [], toJSON: [],
      },
    };
  },
  AnimLayerMixer: () => {
    const skeleton = body(), object = new A.AnimLayerMixer(skeleton), player = new A.AnimPlayer(skeleton), graph = new A.AnimGraph(skeleton), machine = new A.AnimStateMachine(skeleton);
    player.play(walk());
    graph.addClip(walk());
    machine.addState("a", walk());
    object.setBasePlayer(player);
    object.addLayer("x", player, null, "override", 1);
    object.update(0.6);
    return {
      object,
      calls: {
        setBasePlayer: [player], setBaseGraph: [graph], setBaseStateMachine: [machine], getBasePlayer: [], addLayer: ["y", player, new A.AnimBoneMask(skeleton), "override", 1],
        addGraphLayer: ["z", graph, new A.AnimBoneMask(skeleton), "additive", 1], addStateMachineLayer: ["w", machine, new A.AnimBoneMask(skeleton, 1), "override", 1],
        setLayerWeight: ["x", 0.5], getLayerWeight: ["x"], setLayerEnabled: ["x", true], getLayerEnabled: ["x"], setLayerAdditiveReference: ["x", "bind"],
        getLayerAdditiveReference: ["x"], getLayerCount: [], getLayerName: [0], getLayerMode: ["x"], fadeLayer: ["x", 1, 0.1], update: [0.1], getPose: [], getEventCount: [],
        getEventLayer: [0], getEventName: [0], getEventPayload: [0], clearEvents: [], removeLayer: ["x"],
      },
    };
  },
  AnimBoneMask: () => ({
    object: new A.AnimBoneMask(body()),
    calls: { setAll: [1], setBoneWeight: [0, 1], setBoneWeightByName: ["hips", 1], setBoneAndChildren: [0, 1], getBoneWeight: [0], getBoneCount: [] },
  }),
  AnimSkin: () => {
    const skeleton = body(), object = triangle(skeleton), pose = posed(skeleton);
    object.updateSkinnedPositions(pose);
    object.updateSkinnedTangents(pose);
    return {
      object,
      calls: {
        getVertexCount: [], getBoneCount: [], getSkeletonBone: [0], getSkinBoneName: [0], getInverseBindElement: [0, 0], updateMatrixPalette: [pose],
        getMatrixPaletteElement: [0, 0], writePaletteTo: [room(), 0], getBindPositionX: [0], getVertexBone: [0, 0], getVertexSkinJoint: [0, 0], getVertexWeight: [0, 0],
        updateSkinnedPositions: [pose], hasSkinnedPositions: [], getSkinnedPositionX: [0], getSkinnedPositions: [], updateSkinnedNormals: [pose], hasSkinnedNormals: [],
        getSkinnedNormals: [], updateSkinnedTangents: [pose], getSkinnedTangents: [], applyToMesh: [{}, {}, pose], bindGpuMesh: [{}, {}], updateGpuMesh: [{}, pose],
        setMorphWeights: [[0.5]], setSkinningMode: ["blendedDualQuaternion", [0, 0.5, 1]], getSkinningMode: [], computeBounds: [pose, room()], raycast: [pose, [0.2, 0.2, 5], [0, 0, -1], {}, 10],
      },
    };
  },
  AnimMirror: () => {
    const skeleton = body();
    return { object: new A.AnimMirror(skeleton), calls: { getSkeleton: [], getAxis: [], getCounterpart: [3], apply: [posed(skeleton)] } };
  },
  AnimBudget: () => {
    const skeleton = body(), object = new A.AnimBudget(1000), player = new A.AnimPlayer(skeleton);
    player.play(walk());
    object.add(player, 0.3);
    return {
      object,
      calls: {
        setBudget: [500], getBudget: [], add: [new A.AnimPlayer(skeleton), 0.5], remove: [0], setScreenSize: [0, 0.2], getCount: [], getLevel: [0], getCost: [], getScale: [], update: [0.1],
      },
    };
  },
  AnimBatch: () => {
    const object = new A.AnimBatch();
    object.add(walk(), body(), new A.AnimPose(), 0);
    return {
      object,
      calls: {
        add: [walk(), body(), new A.AnimPose(), 0.1, 0], setTime: [0, 0.1], setLod: [0, 1], setEnabled: [0, true], setComputeWorld: [true], evaluate: [1], getCount: [],
        getLastWorkerCount: [], clear: [],
      },
    };
  },
  AnimSyncGroup: () => {
    const skeleton = body(), object = new A.AnimSyncGroup(), leader = new A.AnimPlayer(skeleton), other = new A.AnimPlayer(skeleton);
    leader.play(walk());
    other.play(walk());
    object.addPlayer(leader);
    return { object, calls: { addPlayer: [other, 0.5], setLeader: [0], getLeader: [], getCount: [], update: [0.1], getPhase: [], getUsedMarkerSync: [], clear: [] } };
  },
  AnimConstraintStack: () => {
    const skeleton = body(), object = new A.AnimConstraintStack(skeleton);
    object.addAim(1, 0, 0, 1);
    object.addTwoBoneIK(3, 4, 5, 0, 0, 0);
    return {
      object,
      calls: {
        addAim: [1, 0, 0, 1, 1], addTwoBoneIK: [3, 4, 5, 0, 0, 0, 0, 0, 1, 1], addFootIK: [3, 4, 5, 0, 0, 1, 0, 0, 1], addChainIK: [11, 13, 0, 0, 0, "fabrik", 10, 1], addLookAt: [[1, 2], [0.5, 1], 0, 0, 1, { maxAngle: 1 }],
        addRotationLimit: [1, 1, 1, -1, 1, 1], addCopyRotation: [2, 1, 1, true], addCopyPosition: [2, 1, 1, true],
        setTarget: [0, 1, 1, 1], setPole: [1, 1, 1, 1], setWeight: [0, 1], setEnabled: [0, true], getLastStatus: [0], apply: [posed(skeleton)], getCount: [], clear: [],
      },
    };
  },
  FootIKSolver: () => {
    const skeleton = body(), object = new A.FootIKSolver(skeleton);
    object.setPelvisBone(0);
    object.configureLeftLeg(3, 4, 5, 0.03);
    object.configureRightLeg(7, 8, 9, 0.03);
    return {
      object,
      calls: {
        setSkeleton: [skeleton], setPelvisBone: [0], configureLeftLeg: [3, 4, 5, 0.03], configureRightLeg: [7, 8, 9, 0.03], configureLeftToe: [6, 0.5],
        configureRightToe: [10, 0.5], setLeftContact: [0, 0, 0, 0, 1, 0], setRightContact: [0, 0, 0, 0, 1, 0], setMinGroundNormalY: [0.5], setMaxPelvisOffset: [0.1],
        setFootLockEnabled: [true], setFootLockThresholds: [0.1, 0.2], setContactGraceTime: [0.1], isLeftFootLocked: [], isRightFootLocked: [],
        setObjectTransform: [0, 0, 0, 0, 0, 0, 1], apply: [posed(skeleton), 0.1],
      },
    };
  },
  DynamicBoneSolver: () => {
    const skeleton = body(), object = new A.DynamicBoneSolver(skeleton);
    object.addChain(11, 13);
    object.addColliderSphere(0, 0, 0, 0.1);
    return {
      object,
      calls: {
        addChain: [3, 5], addChainByName: ["rUp", "rFoot"], getChainCount: [], setChainEnabled: [0, true], isChainEnabled: [0], isChainSleeping: [0],
        setChainParticleParameters: [0, 0.1, 0.1, 0.1, 0.1, 0.1, 1], setChainFreezeAxis: [0, "x"], setChainEndLength: [0, 0.1], setChainEndOffset: [0, 0, 0, 0.1],
        clearChainEnd: [0], setChainSelfCollision: [0, true], setGlobalGravity: [0, -9, 0], getGlobalGravityX: [], setExternalForce: [0, 0, 1], setWeight: [1], getWeight: [],
        setPositionResponse: [1], setRotationResponse: [1], setObjectMoveResponse: [1], getObjectMoveResponse: [], setTeleportThreshold: [1], getTeleportThreshold: [],
        setDistanceReference: [0, 0, 0], setDistanceLimit: [10], addColliderSphere: [0, 0, 0, 0.1], addColliderCapsule: [0, 0, 0, 1, 1, 1, 0.1],
        addBoneColliderSphere: [0, 0, 0, 0, 0.1], addBoneColliderCapsule: [0, 0, 0, 0, 1, 1, 1, 0.1], addColliderPlane: [0, 0, 0, 0, 1, 0],
        addBoneColliderPlane: [0, 0, 0, 0, 0, 1, 0], setColliderEnabled: [0, true], setColliderRadius: [0, 0.1],
        setColliderInside: [0, true], setObjectTransform: [0, 0, 0, 0, 0, 0, 1], setSubstep: [0.01, 4], setSubstepTiming: ["even"], update: [posed(skeleton), 0.1],
        removeCollider: [0], clearColliders: [], clearChains: [], setSkeleton: [skeleton],
      },
    };
  },
  AnimRetargetProfile: () => ({
    object: new A.AnimRetargetProfile(),
    calls: {
      addBoneMapping: ["a", "b"], setNormalizedNameMatching: [true], setRootBones: ["a", "b"], setAutoRootScale: [true], setRootTranslationScale: [1, 1],
      setUseSkeletonSpaceRotation: [true], setSkinnedInteractionPreserve: [true], setInteractionContactThreshold: [0.1], setInteractionCorrectionWeight: [1],
      addInteractionIkChain: ["a", "b", "c"], setNeuralRetargetEnabled: [true], setNeuralBackend: ["onnx"], setNeuralModelPath: ["x"], getMatchedBoneCount: [],
      clearBoneMappings: [], clearInteractionIkChains: [],
    },
  }),
};
