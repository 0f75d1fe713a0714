"""Sizes that hang on values are unknown in a traced function, and later calls have others."""

import numpy as np
import pytest

import reference_impl as tf

_X = (np.arange(24.0, dtype=np.float32).reshape(4, 6) % 7) / 10

# What TensorFlow 2.21 knows while it traces: x is (4, 6), k is 2, m a mask with three of four, c a constant.
_KNOWN = [
    ("tf.where([True, False])", [None, 1]),
    ("x[:k,:2]", [None, None]),
    ("x[1:,:k]", [None, None]),
    ("x[:-1,:k]", [None, None]),
    ("x[:2,:k]", [None, None]),
    ("x[:k,1]", [None]),
    ("x[1,:k]", [None]),
    ("x[k,:2]", [None]),
    ("x[k,:]", [6]),
    ("x[k:k+1,:]", [None, 6]),
    ("x[k-1:k]", [None, 6]),
    ("x[:,:k,None]", [4, None, 1]),
    ("x[:k][:2]", [None, 6]),
    ("x[:k][1:]", [None, 6]),
    ("x[:k][0]", [6]),
    ("x[:k][:,1:3]", [None, 2]),
    ("x[:k][...,0]", [None]),
    ("x[:k][:k]", [None, 6]),
    ("tf.zeros([2,3])[:k]", [None, 3]),
    ("tf.zeros([2,3])[:,:2][:k]", [None, 2]),
    ("tf.slice(x,[0,k],[2,1])", [2, 1]),
    ("tf.slice(x,[0,k],[-1,1])", [4, 1]),
    ("tf.slice(x,[0,0],[k,-1])", [None, None]),
    ("tf.slice(x,[1,0],[-1,k])", [None, None]),
    ("tf.reshape(x[:k],[-1])", [None]),
    ("tf.reshape(x[:k],[-1,3])", [None, 3]),
    ("tf.reshape(x[:k],[-1,2,3])", [None, 2, 3]),
    ("tf.reshape(x[:k],[2,-1])", [2, None]),
    ("tf.reshape(x[:k],tf.shape(x[:k]))", [None, 6]),
    ("tf.reshape(x[:k],[tf.shape(x[:k])[0],6])", [None, 6]),
    ("tf.reshape(x[:k],[tf.shape(x[:k])[0],2,3])", [None, 2, 3]),
    ("tf.reshape(x,[tf.shape(x)[0]*tf.shape(x)[1]])", [24]),
    ("tf.reshape(x,[tf.size(x)])", [24]),
    ("tf.reshape(x,tf.concat([[2],tf.shape(x)[1:],[2]],0))", [2, 6, 2]),
    ("tf.reshape(x,tf.concat([tf.shape(x)[:1],[-1]],0))", [4, 6]),
    ("tf.reshape(x[:k],tf.concat([tf.shape(x[:k])[:1],[2,3]],0))", [None, 2, 3]),
    ("tf.zeros(tf.shape(x[:k]))", [None, 6]),
    ("tf.zeros(tf.shape(x[:k])[1:])", [6]),
    ("tf.zeros_like(x[:k])", [None, 6]),
    ("tf.random.normal(tf.shape(x[:k]))", [None, 6]),
    ("tf.broadcast_to(x[0],[k,6])", [None, 6]),
    ("tf.broadcast_to(x[0],tf.shape(x[:k]))", [None, 6]),
    ("tf.tile(x,[1,k])", [4, None]),
    ("tf.tile(x[:k],[1,2])", [None, 12]),
    ("tf.stack([x[:k],x[:k]],1)", [None, 2, 6]),
    ("tf.pad(x[:k],[[1,1],[0,0]])", [None, 6]),
    ("tf.repeat(x[:k],2,axis=0)", [None, 6]),
    ("tf.gather(x[:k],[0,1])", [2, 6]),
    ("tf.gather(x[:k],0)", [6]),
    ("tf.gather(x[:k],tf.where(x[:k][:,0]>0)[:,0])", [None, 6]),
    ("tf.one_hot(tf.range(k),4)", [None, 4]),
    ("tf.linalg.diag_part(tf.zeros([k,k]))", [None]),
    ("tf.linalg.diag_part(tf.zeros([k,3]))", [None]),
    ("tf.matmul(x[:k],tf.transpose(x[:k]))", [None, None]),
    ("tf.matmul(x[:k],x[:k],transpose_a=True)", [6, 6]),
    ("tf.tensordot(x[:k],x[:k],[[1],[1]])", [None, None]),
    ("tf.einsum('ij->ji',x[:k])", [6, None]),
    ("x[:k]@tf.ones((6,2))", [None, 2]),
    ("tf.nn.softmax_cross_entropy_with_logits(x[:k],x[:k])", [None]),
    ("tf.nn.l2_normalize(x[:k],1)", [None, 6]),
    ("tf.nn.moments(x[:k],[0])[0]", [6]),
    ("tf.reduce_mean(x[:k])", []),
    ("tf.reduce_max(x[:k],0,keepdims=True)", [1, 6]),
    ("tf.reduce_max(x[:k],1,keepdims=True)", [None, 1]),
    ("tf.cumsum(x[:k],1)", [None, 6]),
    ("tf.squeeze(x[:k][:,:1],1)", [None]),
    ("tf.squeeze(x[:k,:1])", None),
    ("tf.expand_dims(x[:k],-1)", [None, 6, 1]),
    ("tf.transpose(x[:k],[1,0])", [6, None]),
    ("tf.reverse(x[:k],[0])", [None, 6]),
    ("tf.roll(x[:k],1,0)", [None, 6]),
    ("tf.sort(x[:k],axis=0)", [None, 6]),
    ("tf.argsort(x[:k])", [None, 6]),
    ("tf.math.top_k(x[:k],2).values", [None, 2]),
    ("tf.searchsorted(tf.range(5),tf.range(k))", [None]),
    ("tf.where(x[:k]>0)", [None, 2]),
    ("tf.math.bincount(tf.range(k))", [None]),
    ("tf.image.flip_left_right(tf.zeros([k,4,4,1]))", [None, 4, 4, 1]),
    ("tf.nn.conv2d(tf.zeros([k,4,4,1]),tf.ones((2,2,1,3)),1,'SAME')", [None, 4, 4, 3]),
    ("tf.nn.conv2d(tf.zeros([1,k+2,4,1]),tf.ones((2,2,1,3)),1,'VALID')", [1, None, 3, 3]),
    ("tf.nn.max_pool2d(tf.zeros([k,4,4,1]),2,2,'SAME')", [None, 2, 2, 1]),
    ("tf.nn.conv2d_transpose(tf.zeros([k,4,4,1]),tf.ones((2,2,3,1)),[k,8,8,3],2)", [None, 8, 8, 3]),
    ("tf.linalg.inv(tf.eye(k))", [None, None]),
    ("tf.linalg.det(tf.eye(k))", []),
    ("tf.linalg.svd(x[:k])[0]", [None]),
    ("tf.linalg.cholesky(tf.eye(k))", [None, None]),
    ("tf.eye(2,k)", [2, None]),
    ("tf.eye(3,batch_shape=[k])", [None, 3, 3]),
    ("tf.math.segment_sum(x[:k],tf.range(k))", [None, 6]),
    ("tf.dynamic_stitch([tf.range(k)],[x[:k]])", [None, 6]),
    ("tf.scatter_nd(tf.range(k)[:,None],x[:k],[4,6])", [4, 6]),
    ("tf.tensor_scatter_nd_update(x,tf.range(k)[:,None],x[:k])", [4, 6]),
    ("tf.signal.rfft(x[:k])", [None, 4]),
    ("tf.complex(x[:k],x[:k])", [None, 6]),
    ("tf.range(0,k,2)", [None]),
    ("tf.range(k,6)", [None]),
    ("tf.range(1,3)", [2]),
    ("tf.linspace(0.,1.,3)", [3]),
    ("tf.sequence_mask(tf.range(k))", [None, None]),
    ("tf.sequence_mask(tf.range(k),4)", [None, 4]),
    ("tf.meshgrid(tf.range(k),tf.range(3))[0]", [3, None]),
    ("tf.clip_by_norm(x[:k],1.)", [None, 6]),
    ("tf.maximum(x[:k],x[:1])", [None, 6]),
    ("tf.add_n([x[:k],x[:k]])", [None, 6]),
    ("tf.stop_gradient(x[:k])", [None, 6]),
    ("tf.identity(x[:k])", [None, 6]),
    ("tf.ensure_shape(x[:k],[None,6])", [None, 6]),
    ("tf.vectorized_map(lambda r:r+1,x[:k])", [None, 6]),
    ("tf.scan(lambda a,r:a+r,x[:k])", [None, 6]),
    ("tf.foldl(lambda a,r:a+r,x[:k])", [6]),
    ("tf.IndexedSlices(x[:k],tf.range(k),[4,6]).values", [None, 6]),
    ("tf.nn.embedding_lookup(x,tf.range(k))", [None, 6]),
    ("tf.math.confusion_matrix(tf.range(k),tf.range(k))", [None, None]),
    ("tf.norm(x[:k])", []),
    ("x[:k]", [None, 6]),
    ("x[k:]", [None, 6]),
    ("x[k:k+2]", [None, 6]),
    ("x[k]", [6]),
    ("x[:,k:]", [4, None]),
    ("x[:k,:k]", [None, None]),
    ("x[1:3]", [2, 6]),
    ("x[:tf.shape(x)[0]-1]", [3, 6]),
    ("x[:c]", [2, 6]),
    ("tf.slice(x,[0,0],[k,2])", [None, 2]),
    ("tf.slice(x,[k,0],[1,2])", [1, 2]),
    ("tf.slice(x,[k,0],[-1,2])", [None, 2]),
    ("tf.strided_slice(x,[0],[k])", [None, 6]),
    ("tf.boolean_mask(x,m)", [None, 6]),
    ("x[m]", [None, 6]),
    ("tf.where(m)", [None, 1]),
    ("tf.range(k)", [None]),
    ("tf.range(c)", [2]),
    ("tf.fill([k,2],1.)", [None, 2]),
    ("tf.fill(tf.stack([k,2]),1.)", [None, 2]),
    ("tf.zeros((k,))", [None]),
    ("tf.zeros([2,k])", [2, None]),
    ("tf.ones([k])", [None]),
    ("tf.eye(k)", [None, None]),
    ("tf.reshape(x,[k,-1])", [None, None]),
    ("tf.reshape(x,[-1,6])", [4, 6]),
    ("tf.reshape(x,[-1,tf.shape(x)[1]])", [4, 6]),
    ("tf.reshape(x,tf.stack([2,12]))", [2, 12]),
    ("tf.reshape(x,tf.shape(x))", [4, 6]),
    ("tf.reshape(x[:k],[k,6])", [None, 6]),
    ("tf.reshape(x,s2)", [None, None]),
    ("tf.tile(x,[k,1])", [None, 6]),
    ("tf.tile(x,s2)", [None, None]),
    ("tf.repeat(x,k,axis=0)", [None, 6]),
    ("tf.repeat(x,[1,2,1,k],axis=0)", [None, 6]),
    ("tf.pad(x,[[k,0],[0,1]])", [None, 7]),
    ("tf.one_hot([1,2],k)", [2, None]),
    ("tf.sequence_mask([1,2],k)", [2, None]),
    ("tf.sequence_mask([1,2])", [2, 2]),
    ("tf.unique(x[0])[0]", [None]),
    ("tf.unique_with_counts(x[0]).count", [None]),
    ("tf.math.top_k(x,k).values", [4, None]),
    ("tf.linspace(0.,1.,k)", [None]),
    ("tf.split(x,[k,4-k])[0]", [None, 6]),
    ("tf.split(x,2)[0]", [2, 6]),
    ("tf.random.normal([k,3])", [None, 3]),
    ("tf.random.uniform((k,))", [None]),
    ("tf.gather(x,tf.range(k))", [None, 6]),
    ("tf.gather(x,k)", [6]),
    ("tf.concat([x[:k],x],0)", [None, 6]),
    ("tf.stack([x[:k],x[:k]])", [2, None, 6]),
    ("x[:k]+x[:k]", [None, 6]),
    ("x[:k]+tf.ones((1,6))", [None, 6]),
    ("x[:k]*2.", [None, 6]),
    ("tf.reduce_sum(x[:k],1)", [None]),
    ("tf.reduce_sum(x[:k],0)", [6]),
    ("tf.matmul(x[:k],x,transpose_b=True)", [None, 4]),
    ("tf.transpose(x[:k])", [6, None]),
    ("tf.expand_dims(x[:k],0)", [1, None, 6]),
    ("tf.nn.softmax(x[:k])", [None, 6]),
    ("tf.cast(x[:k],tf.float64)", [None, 6]),
    ("tf.cumsum(x[:k])", [None, 6]),
    ("tf.sort(x[:k])", [None, 6]),
    ("tf.shape(x[:k])", [2]),
    ("tf.size(x[:k])", []),
    ("tf.squeeze(x[:1])", [6]),
    ("tf.math.segment_sum(x,[0,0,1,k])", [None, 6]),
    ("tf.math.unsorted_segment_sum(x,[0,0,1,0],k)", [None, 6]),
    ("tf.scatter_nd([[0],[1]],[1.,2.],[k])", [None]),
    ("tf.image.resize(x[None,:,:,None],[k,2])", [1, None, 2, 1]),
    ("tf.roll(x,k,0)", [4, 6]),
    ("tf.linalg.band_part(x,k,0)", [4, 6]),
    ("tf.map_fn(lambda r:r*2,x[:k])", [None, 6]),
    ("tf.ensure_shape(x[:k],[2,6])", [2, 6]),
    ("x[:tf.constant(2)]", [2, 6]),
    ("x[:tf.constant(2)+1]", [3, 6]),
    ("x[...,:k]", [4, None]),
    ("x[tf.newaxis,:k]", [1, None, 6]),
    ("tf.meshgrid(tf.range(k),[1,2])[0]", [2, None]),
    ("tf.gather_nd(x,tf.zeros([k,1],tf.int32))", [None, 6]),
    ("tf.argmax(x[:k],1)", [None]),
    ("tf.einsum('ij,kj->ik',x[:k],x)", [None, 4]),
    ("tf.nn.conv1d(x[None],tf.ones((k,6,1)),1,'SAME')", [1, 4, 1]),
    ("tf.norm(x[:k],axis=1)", [None]),
    ("tf.where(x[:k]>0,x[:k],0.)", [None, 6]),
]


@pytest.mark.parametrize(("expression", "shape"), _KNOWN)
def test_what_is_known_of_a_shape(expression, shape):
    seen, x, c = [], tf.constant(_X), tf.constant(2)

    @tf.function(autograph=False)
    def f(k, m, s2, s3):
        result = eval(expression, {"tf": tf, "x": x, "k": k, "m": m, "s2": s2, "s3": s3, "c": c})
        seen.append(result.shape)
        return tf.shape(result)

    f(tf.constant(2), tf.constant([True, False, True, True]), tf.constant([2, 12]), tf.constant([3, 4, 6]))
    assert str(seen[0]) == str(tf.TensorShape(shape))


def _eager_and_traced(f, calls):
    traced = tf.function(f, autograph=False)
    for arguments in calls:
        want, got = f(*map(tf.constant, arguments)), traced(*map(tf.constant, arguments))
        for a, b in zip(tf.nest.flatten(want), tf.nest.flatten(got), strict=True):
            assert a.shape == b.shape
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)
    assert traced.experimental_get_tracing_count() == 1


_LAYERS = tf.keras.layers


@pytest.mark.parametrize(
    "make",
    [
        lambda: _LAYERS.SimpleRNN(2),
        lambda: _LAYERS.LSTM(2, return_sequences=True),
        lambda: _LAYERS.GRU(2, go_backwards=True),
        lambda: _LAYERS.Bidirectional(_LAYERS.LSTM(2)),
        lambda: _LAYERS.Conv1DTranspose(2, 2, strides=2),
        lambda: _LAYERS.GroupNormalization(2),
        lambda: _LAYERS.Dense(2, activity_regularizer="l2"),
        _LAYERS.GlobalAveragePooling1D,
    ],
)
def test_layers_take_as_many_steps_as_there_are_in_each_call(make):
    layer, x = make(), tf.constant(_X)[None]
    layer(x)

    def f(k):
        steps = x[:, : tf.reduce_sum(k)]
        with tf.GradientTape() as tape:
            tape.watch(steps)
            y = layer(steps)
            loss = tf.reduce_sum(y * y) + (layer.losses[0] if layer.losses else 0.0)
        return y, tape.gradient(loss, [steps, *layer.trainable_variables])

    _eager_and_traced(f, [(2,), (4,), (3,)])


@pytest.mark.parametrize("axis", [0, 1])
def test_a_flat_layer_takes_what_there_is(axis):
    x = tf.constant(_X)
    _eager_and_traced(lambda k: _LAYERS.Flatten()(x[:k] if axis == 0 else x[:, :k]), [(2,), (4,), (3,)])


def test_second_derivatives_and_jacobians_of_as_many_rows_as_there_are():
    x = tf.constant(_X)

    def f(k):
        h = x[:k, :2]
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(h)
            with tf.GradientTape() as inner:
                inner.watch(h)
                y = tf.reduce_sum(h**3)
            g = inner.gradient(y, h)
        return g, outer.gradient(g, h), tf.reduce_sum(outer.jacobian(g, h), 0), outer.batch_jacobian(g, h)

    _eager_and_traced(f, [(2,), (1,), (4,)])


def test_sizes_in_loops_and_branches():
    x, shapes = tf.constant(_X), []

    @tf.function
    def f(n):
        total = tf.zeros((6,))
        for i in tf.range(n):
            rows = x[: i + 1]
            shapes.append(rows.shape.as_list())
            total += tf.reduce_sum(rows, 0)
        if n > 2:
            total += tf.reduce_sum(x[:n], 0)
            shapes.append(x[:n].shape.as_list())
        return total

    for n in (1, 3, 4):
        want = sum(_X[: i + 1].sum(0) for i in range(n)) + (_X[:n].sum(0) if n > 2 else 0)
        np.testing.assert_allclose(f(tf.constant(n)).numpy(), want, rtol=1e-5)
    assert shapes == [[None, 6], [None, 6]]


def test_variables_keep_their_values_while_sizes_are_opened():
    v, x = tf.Variable(1.0), tf.constant(_X)

    @tf.function
    def f(k):
        v.assign_add(1.0)
        rows = x[:k]
        v.assign_add(tf.cast(tf.shape(rows)[0], tf.float32))
        return v * 1.0

    assert [float(f(tf.constant(k))) for k in (2, 3, 1)] == [4.0, 8.0, 10.0]


def test_an_array_of_tensors_of_unknown_size_has_rows_of_unknown_number():
    x, shapes = tf.constant(_X), []

    @tf.function
    def f(k):
        array = tf.TensorArray(tf.float32, size=k)
        for i in tf.range(k):
            array = array.write(i, x[i])
        shapes.append(array.stack().shape.as_list())
        return array.stack()

    assert [f(tf.constant(k)).shape[0] for k in (2, 4, 1)] == [2, 4, 1]
    assert shapes == [[None, 6]]


def test_how_many_tensors_there_are_must_be_known():
    @tf.function
    def f(k, num=None):
        return tf.unstack(tf.constant(_X)[:k], num)

    with pytest.raises(ValueError, match=r"Cannot infer argument `num` from shape \(None, 6\)"):
        f(tf.constant(2))
    assert [t.shape.as_list() for t in f(tf.constant(2), 2)] == [[6], [6]]


def test_a_shape_that_does_not_fit_is_found_when_the_function_runs():
    @tf.function
    def f(k):
        return tf.reshape(tf.constant(_X)[:, :k], [4, 3, 2])

    for k in (3, 6, 2):
        if k == 6:
            assert f(tf.constant(k)).shape == (4, 3, 2)
            continue
        with pytest.raises(tf.errors.InvalidArgumentError, match="Input to reshape is a tensor with"):
            f(tf.constant(k))
