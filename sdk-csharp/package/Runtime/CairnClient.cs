namespace Cairn
{
    /// <summary>The client of a Cairn service. Each property has the operations of one subject.</summary>
    public sealed partial class CairnClient
    {
        private readonly Connection connection;

        /// <summary>Creates a client. It opens no connection before the first call.</summary>
        public CairnClient(CairnOptions options)
        {
            connection = new Connection(options);
            CreateResources(connection);
        }
    }
}
