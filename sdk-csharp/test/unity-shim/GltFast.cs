using System;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;

namespace GLTFast
{
    public class ImportSettings { }
    public class GltfImport
    {
        public Task<bool> Load(string url, ImportSettings importSettings = null, CancellationToken cancellationToken = default(CancellationToken)) { throw new NotSupportedException(); }
        public Task<bool> InstantiateMainSceneAsync(Transform parent, CancellationToken cancellationToken = default(CancellationToken)) { throw new NotSupportedException(); }
    }
}
