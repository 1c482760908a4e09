// Streams in a browser: UnityWebRequest hands over a response in WebGL only once it is complete, and a stream never is.
var CairnStreams = {
  $cairnStreams: {
    last: 0,
    open: {},
    follow: function (stream, reader) {
      return reader.read().then(function (result) {
        if (result.done) {
          stream.isOver = true;
          return;
        }
        stream.chunks.push(result.value);
        return cairnStreams.follow(stream, reader);
      });
    },
  },

  // The number of the stream for the other functions. Headers are a JSON object.
  CairnStreamOpen: function (url, headers) {
    var id = ++cairnStreams.last;
    var stream = { status: 0, hasFailed: false, isOver: false, headers: null, chunks: [], abort: new AbortController() };
    cairnStreams.open[id] = stream;
    fetch(UTF8ToString(url), { headers: JSON.parse(UTF8ToString(headers)), signal: stream.abort.signal, cache: 'no-store' })
      .then(function (response) {
        stream.headers = response.headers;
        stream.status = response.status;
        if (response.body) return cairnStreams.follow(stream, response.body.getReader());
        stream.isOver = true;
      })
      .catch(function () {
        stream.hasFailed = true;
      });
    return id;
  },

  // The status of the response; 0 before it, -1 if there is none.
  CairnStreamStatus: function (id) {
    var stream = cairnStreams.open[id];
    return stream.status === 0 && stream.hasFailed ? -1 : stream.status;
  },

  // The value of a header, or an empty string.
  CairnStreamHeader: function (id, name) {
    var headers = cairnStreams.open[id].headers;
    var value = (headers && headers.get(UTF8ToString(name))) || '';
    var size = lengthBytesUTF8(value) + 1;
    var address = _malloc(size);
    stringToUTF8(value, address, size);
    return address;
  },

  // The number of bytes copied; 0 if none is there yet, -1 at the end, -2 if the connection broke.
  CairnStreamRead: function (id, buffer, length) {
    var stream = cairnStreams.open[id];
    if (stream.chunks.length === 0) return stream.isOver ? -1 : stream.hasFailed ? -2 : 0;
    var chunk = stream.chunks[0];
    var count = Math.min(length, chunk.length);
    HEAPU8.set(chunk.subarray(0, count), buffer);
    if (count === chunk.length) stream.chunks.shift();
    else stream.chunks[0] = chunk.subarray(count);
    return count;
  },

  CairnStreamClose: function (id) {
    cairnStreams.open[id].abort.abort();
    delete cairnStreams.open[id];
  },
};

autoAddDeps(CairnStreams, '$cairnStreams');
mergeInto(LibraryManager.library, CairnStreams);
